import { useEffect, useState } from "react";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { asFailure } from "#lib/client/api-failure.ts";
import type { DryRun, DryRunRequest } from "#lib/checks/settings/schema.ts";

/** Milliseconds without a change before the posts are counted. */
const PAUSE_MS = 300;

export interface Counted {
  /** Null while the posts are counted. */
  result: DryRun | null;
  failure: string | null;
}

const COUNTING: Counted = { result: null, failure: null };

/** The effect of a change that is not saved. Null counts nothing. */
export function useDryRun(change: DryRunRequest | null): Counted {
  const body = JSON.stringify(change);
  const [known, setKnown] = useState<Counted & { of: string }>({ ...COUNTING, of: "null" });
  useEffect(() => {
    if (body === "null") return undefined;
    let isCurrent = true;
    const timer = setTimeout(() => {
      apiFetch<DryRun>("/checks/dry-run", { method: "POST", body: JSON.parse(body) as object }).then(
        (result) => {
          if (isCurrent) setKnown({ of: body, result, failure: null });
        },
        (thrown: unknown) => {
          if (isCurrent) setKnown({ of: body, result: null, failure: asFailure(thrown).detail });
        },
      );
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [body]);
  return known.of === body ? known : COUNTING;
}
