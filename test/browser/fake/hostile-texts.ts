/** Texts that execute or hide something if they are not escaped. */
export const hostileTexts: readonly string[] = [
  `<script>globalThis.hurt = 1</script>`,
  `"'><img src=x onerror="globalThis.hurt = 2">`,
  "\u202Egnp.exe\u202C \u2066isolated\u2069",
  `${"very long ".repeat(410)}end`,
  "x".repeat(4096),
  "\u001b[31mred\u001b[0m \u001b]8;;http://127.0.0.1:9/\u0007link",
  `</script><style>*{display:none}</style><!--`,
  "__proto__",
  "constructor",
  "\ud800 lone, \u0000 nought, \u2028 line",
  "javascript:globalThis.hurt=3",
  "${7*7} {{7*7}} %s",
];
