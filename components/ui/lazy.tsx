import { lazy, Suspense, useEffect, useState, type ComponentType } from "react";
import { retryImport } from "#lib/client/retry-import.ts";

/**
 * Loads a component when it is first shown, and retries until that works. Not for parts that the server should render.
 * docs/decisions/0101-lazy-components.md says why it is not `next/dynamic`.
 */
export function lazyWithRetry<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback?: ComponentType<Props>,
): ComponentType<Props> {
  const Part = lazy(() => retryImport(load).then((part) => ({ default: part as ComponentType<object> })));
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={Fallback ? <Fallback {...props} /> : null}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** After this long it offers to reload, because an update of the service may have removed the code. */
const OFFER_RELOAD_MS = 6_000;

const button = "h-control-sm rounded-md px-2 font-medium hover:bg-wash";

/**
 * Shown while a dialog loads. Escape and the button cancel it. If loading takes long although the browser is online, it
 * offers to reload the page, which loses no decision.
 */
export function LoadingNotice({ onClose }: { onClose: () => void }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(navigator.onLine), OFFER_RELOAD_MS);
    return () => clearTimeout(timer);
  }, []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && onClose();
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [onClose]);
  return (
    <div
      role="status"
      className="fixed inset-x-0 top-3 z-50 mx-auto flex w-fit animate-skeleton items-center gap-2 rounded-lg border border-line bg-raised py-1.5 ps-3 pe-1.5 text-13 shadow-hairline"
    >
      Loading
      {isLate ? (
        <button type="button" onClick={() => location.reload()} className={button}>
          Reload the page
        </button>
      ) : null}
      <button type="button" onClick={onClose} className={button}>
        Cancel
      </button>
    </div>
  );
}
