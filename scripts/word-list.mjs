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
    text: /(?:bad|missing|late)-content|without-contents|content-(?:not-allowed|too-long|does-not-fit)/,
    reason: "codes of failures are stable",
  },
  {
    word: "content",
    text: /<\/?content|content(?:_in|_out)?["`=>]|valid_content|content[=:] ?leads|or content/,
    reason: "elements and attributes of perfbase's XML, and keywords of its descriptions; the attribute of HTML's meta",
  },
  {
    word: "content",
    files: /^src\/query\/report\//,
    reason: "a key of Adaptive Cards",
  },
  {
    word: "content",
    text: /content\.xml|document-content|justify-content|document\.contents/,
    reason: "OpenDocument's file, CSS, the interface of the package yaml",
  },
  {
    word: "place",
    text: /in[- ]place|decimal places?|takes? place|InPlace|in \(\?:|in \\d\+ place|in 3 places/i,
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
  {
    word: "content",
    files:
      /^src\/(?:store|formats\/store|workspace\/experiments)\/|^schemas\/(?:dump|ledger)|^docs\/(?:design|sql|man)/,
    reason: "keys of stored ledgers, dumps and notes, and names of SQL tables and columns: existing stores have them",
  },
  {
    word: "data set",
    files: /^src\/store\/|^docs\/sql/,
    text: /data_sets/,
    reason: "a column of the table of runs, which existing databases have",
  },
  {
    word: "mend",
    files: /^src\/(?:store|formats\/store)\/|^schemas\/ledger-1/,
    text: /["|]mend"/,
    reason: "a kind of change in stored ledgers",
  },
  {
    word: "place",
    files: /^src\/(?:store|plugins\/engines)\/|^docs\/sql/,
    text: /_places|as place,|experiment place name/,
    reason: "names of indexes and view columns, which existing databases have",
  },
  { word: "place", files: /incremental-ensemble[.]ts$/, reason: "a key of the series cache on disk" },
  {
    word: "spreading",
    text: /'perfkeep spreading'/,
    reason: "the advisory lock, which other versions of the program take",
  },
  { word: "begun", text: /"begun"|, begun: /, reason: "a key of stored profiles of run ab" },
  {
    files: /^src\/(?:commands\/import|cli\/verbs\/(?:import|profiles\/collect))|^schemas\/import-1|^docs\/library/,
    text: /dataSets|beside|contents/,
    reason: "keys of perfkeep.import/1, which stays at version 1",
  },
  {
    word: "content",
    files: /find[.]ts$/,
    text: /contents/i,
    reason: "the options --contents and --all-contents of find",
  },
  {
    files: /^src\/cli\/compat\/perfbase\//,
    text: /Data ?sets? |data sets:|Contents of/,
    reason: "perfbase's own output, which scripts read",
  },
  {
    word: "lying",
    text: /["'`]lying|lying: true/,
    reason: "an option of the view bars, and names of gallery pictures",
  },
  {
    word: "content",
    text: /contents: (?:read|write)|main content|(?:fit|max)-content|meta|content: "";/,
    reason: "GitHub's permission, CSS, HTML",
  },
  { word: "content", files: /^docs\/input-descriptions[.]md$/, reason: "perfbase's descriptor content" },
  { word: "told", text: /cannot tell/, reason: "a value of the JSON key answer of perfkeep.bisect-predicate/1" },
  { word: "content", text: /content: \[\{/, reason: "a member of results in the Model Context Protocol" },
];
