// Words with a standard term of the field, and the exceptions. `pattern` is matched against a line in lower case in
// which camelCase and snake_case are separate words.

const word = (name, use, pattern = new RegExp(`\\b${name}\\b`)) => ({ word: name, use, pattern });

export const wordList = [
  word("told", "reported, printed, known", /\b(?:told|tells?|telling)\b/),
  word("beside", "next to, with", /\bbesides?\b/),
  word("behind", "after"),
  word("so many", "at most N"),
  word("lying", "horizontal"),
  word("upright", "vertical"),
  word("meant", "selected, intended, expected"),
  word("mend", "repair, fix", /\bmend(?:s|ed|able|ing)?\b/),
  word("stray", "orphan"),
  word("cry wolf", "false-positive rate, false alarm", /\bcr(?:y|ies) wolf\b/),
  word("anew", "again, from scratch"),
  word("begun", "started"),
  word("wild", "unbounded, overflow"),
  word("tame", "safe, bounded", /\btamed?\b/),
  word("data set", "row, rows", /\bdata ?sets?\b/),
  word("content", "value", /\bcontents?\b/),
  word("somebody", "a user, someone", /\b(?:somebody|nobody|whoever|anybody)\b/),
  word("minor version", "commit", /\bminor versions?\b/),
  word("spreading", "sharding", /\b(?:spreading|spreadable)\b/),
  word("place", "location, path, position", /\b(?:mis)?plac(?:e|es|ed)\b/),
  word("no say", "ignored", /\b(?:has|have) no say\b/),
  word("at any hour", "deterministic"),
  word("kept by content", "content-addressed"),
];

/** What may use a word of the list, and why. `word`, `files` and `text` must all fit where they are given. */
export const allowed = [
  {
    word: "content",
    text: /content[- ](?:hash|type|length|disposition|security|encoding|addressed)|textContent|file'?s?'? contents?/i,
    reason: "standard terms: HTTP headers, the DOM's textContent, content hashes, the contents of a file",
  },
  {
    word: "content",
    text: /(?:bad|missing|late|no|odd|unknown|repeated)-content|content-(?:not-allowed|too-long|does-not-fit|[a-z]+s)/,
    reason: "codes of failures are stable",
  },
  {
    word: "content",
    text: /<\/?content|content(?:_in|_out)?[=>]|"content(?:_in|_out)?"|valid_content|content=leads/,
    reason: "elements and attributes of perfbase's XML, and keywords of its descriptions; the attribute of HTML's meta",
  },
  {
    word: "content",
    text: /content\.xml|document-content|justify-content|document\.contents/,
    reason: "OpenDocument's file, CSS, the interface of the package yaml",
  },
  {
    word: "place",
    text: /in[- ]place|decimal places?|takes? place|InPlace|in \(\?:|in \d+ place|in 3 places/i,
    reason: "standard phrases: to change in place, decimal places; the output of massif",
  },
  {
    word: "data set",
    text: /\bdatasets?\b/,
    reason: "the DOM's dataset, perfbase's attribute and element of that name",
  },
  {
    word: "minor version",
    text: /MinorVersion|minorVersion|minor[_-]version|Minor Version|minor version:/,
    reason: "the version control contract's type, Perun's options and headings that scripts read",
  },
  { word: "spreading", text: /no-spreading/, reason: "codes of failures are stable" },
  { word: "told", text: /cannot tell/, reason: "a value of the JSON key answer of perfkeep.bisect-predicate/1" },
];
