// Values, data types, units, JSON with exact numbers, and settings.
// Used by every layer; imports only failures and text.
// Never depends on locale, time zone or environment.

export { baseOf, baseUnits, prefixNamed, prefixes } from "./base-units.ts";
export {
  formatDate,
  formatTimestamp,
  instantOf,
  isStorableTime,
  readDate,
  readTimeOfDay,
  readTimestamp,
} from "./date-time.ts";
export { type ScannedDuration, scanDuration } from "./duration-text.ts";
export { type Flat, flatText, flattenMembers } from "./flatten.ts";
export { groupBy, keyOfValues, rowsBy } from "./group-by.ts";
export { InvalidValue } from "./invalid-value.ts";
export { type Json, JsonNumber, type JsonObject, floatText, isList, isObject, jsonObject, textAt } from "./json.ts";
export {
  localeNames,
  noBreakSpaces,
  type NumberSyntax,
  numberScanner,
  numberSyntaxOf,
  syntaxProblem,
  thousandsSigns,
} from "./number-text.ts";
export { lossOf, readFloat, readInteger } from "./parse-number.ts";
export {
  type PlainSetting,
  type PlainSettings,
  type Setting,
  type Settings,
  isSettings,
  settingAt,
  settingFlag,
  settingLines,
  settingList,
  settingText,
  settingsIn,
  settingsOf,
} from "./setting.ts";
export { timeFormat } from "./time-format.ts";
export { type ScannedTime, scanTime } from "./time-scanner.ts";
export { readZone } from "./time-zones.ts";
export { amountText, digitsText, readableScale, scaleFor, scaledText } from "./unit-display.ts";
export {
  type Conversion,
  type Unit,
  type UnitFactor,
  conversion,
  convert,
  convertFactor,
  convertInteger,
  divide,
  formatUnit,
  multiply,
  parseUnit,
  power,
  sameDimension,
  findUnit,
} from "./unit.ts";
export {
  type DataType,
  type Value,
  type Values,
  badValue,
  compareValues,
  dataTypes,
  formatValue,
  orderBy,
  parseValue,
  readValue,
} from "./value.ts";
