/** Keys of the series that somebody chose to see side by side; they stay chosen while one goes from page to page. */
export const chosenSeries = new Set<string>();

/** So many small pictures are enough at once. */
export const mostChosen = 60;
