import { useEffect, useRef, useState } from "preact/hooks";

type Params = Readonly<Record<string, string>>;

export interface DelayedParams {
  /** The parameters of the address with what is not yet written there. */
  readonly params: Params;
  /** Changes parameters; in the address, if they rest for a moment. */
  readonly setSoon: (next: Params) => void;
  /** Changes parameters in the address now. */
  readonly setNow: (next: Params) => void;
}

/** Browsers limit how often the address changes, and gestures change it with every frame. */
const restMs = 250;

/** Parameters of an address that may change with every frame. */
export function useDelayedParams(params: Params, onSet: (next: Params) => void): DelayedParams {
  const [pending, setPending] = useState<Params>({});
  const write = useRef(onSet);
  write.current = onSet;
  const setNow = (next: Params): void => {
    setPending({});
    write.current({ ...pending, ...next });
  };
  useEffect(() => {
    if (Object.keys(pending).length === 0) return undefined;
    const timer = setTimeout(() => setNow({}), restMs);
    return () => clearTimeout(timer);
  }, [pending]);
  return {
    params: { ...params, ...pending },
    setSoon: (next) => setPending((before) => ({ ...before, ...next })),
    setNow,
  };
}
