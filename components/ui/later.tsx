"use client";
import { lazy, Suspense, type ComponentType } from "react";
import { patiently } from "#lib/client/patiently.ts";

/**
 * A part whose code comes with its first use. Without a connection the page goes on and the part comes when it is
 * back; `Meanwhile` stands in its place and gets the same props. For what nobody sees before the first touch: it is
 * not rendered by the server ahead of its code.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Meanwhile?: ComponentType<Props>,
): ComponentType<Props> {
  const Part = lazy(() => patiently(load).then((part) => ({ default: part as ComponentType<object> })));
  return function Later(props: Props) {
    return (
      <Suspense fallback={Meanwhile ? <Meanwhile {...props} /> : null}>
        <Part {...props} />
      </Suspense>
    );
  };
}
