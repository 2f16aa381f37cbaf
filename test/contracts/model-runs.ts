import { JsonNumber, jsonObject, type Json } from "../../src/core/values/json.ts";
import type { Run } from "../../src/core/profiles/run.ts";
import { pointsRun, type Pairs } from "./postprocessor.ts";

/** A model as a test writes it: of location f with R² 1, unless it says otherwise. */
export interface WrittenModel {
  readonly uid?: string;
  readonly model: string;
  readonly rSquared?: number;
  readonly start: number;
  readonly end: number;
  readonly coefficients?: readonly number[];
  readonly values?: readonly number[];
}

/** A run with these models, and with these points. */
export function modelsRun(models: readonly WrittenModel[], points: Pairs = [[1, 1]]): Run {
  return { ...pointsRun({ f: points }), models: models.map(recordOf) };
}

function recordOf({ uid = "f", model, rSquared = 1, start, end, coefficients, values }: WrittenModel): Json {
  const shape = { uid, model, r_square: float(rSquared), x_start: float(start), x_end: float(end) };
  const coeffs = coefficients?.map((value, i) => jsonObject({ name: `b${i}`, value: float(value) }));
  return jsonObject({
    ...shape,
    ...(coeffs ? { coeffs } : {}),
    ...(values ? { bucket_stats: values.map(float) } : {}),
  });
}

function float(value: number): Json {
  return JsonNumber.float(value);
}
