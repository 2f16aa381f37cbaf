import { between, copies, type MutationRule, type Random } from "./rule.ts";
import { editText, replaced, type Span } from "./sample-text.ts";
import { attributesOf, tagsOf, type Attribute } from "./xml-tags.ts";

type Pick<T> = (text: string, random: Random) => T | null;

function rule<T extends Span>(
  name: string,
  synopsis: string,
  pick: Pick<T>,
  edit: (text: string, picked: T, random: Random, limit: number) => string,
): MutationRule {
  const apply: MutationRule["apply"] = (bytes, random, limit) =>
    editText(bytes, (text) => {
      const picked = pick(text, random);
      return picked === null ? text : edit(text, picked, random, limit);
    });
  return Object.freeze<MutationRule>({ name, synopsis, family: "xml", apply });
}

/** Rules for what is written in tags; the last one is not Perun's. */
export const xmlRules: readonly MutationRule[] = [
  rule("drop-attribute-value", "empty the value of an attribute", pickAttribute, (text, { value }) =>
    value === null ? text : replaced(text, value, '""'),
  ),
  rule("drop-attribute-name", "drop the name of an attribute and leave its value", pickAttribute, (text, { name }) =>
    replaced(text, name, ""),
  ),
  rule("drop-attribute", "drop an attribute", pickAttribute, (text, attribute) => replaced(text, attribute, "")),
  rule("drop-tag", "drop a tag", pickTag, (text, tag) => replaced(text, tag, "")),
  rule("repeat-tag", "write a tag 10 to 100 times", pickTag, (text, tag, random, limit) => {
    const content = text.slice(tag.start, tag.end);
    return replaced(text, tag, content.repeat(copies(between(10, 100, random), content.length, limit)));
  }),
];

function pickTag(text: string, random: Random): Span | null {
  const tags = tagsOf(text);
  return tags[between(0, tags.length - 1, random)] ?? null;
}

/** An attribute of any tag that has one. */
function pickAttribute(text: string, random: Random): Attribute | null {
  const attributes = tagsOf(text).flatMap((tag) => attributesOf(text, tag));
  return attributes[between(0, attributes.length - 1, random)] ?? null;
}
