"use client";
import { useEffect, useState } from "react";
import * as words from "#components/words/desk.ts";

const button = "h-control-sm rounded-md px-2 font-medium hover:bg-wash";

/** Milliseconds after which the code may be gone for good, as it is for a page from before an update. */
const LONG = 6_000;

/**
 * That a window was asked for and is on its way; Escape and the button call it off. With a connection and still not there,
 * it offers to load the page anew, which loses nothing: decisions wait in storage and cards are leased.
 */
export function Coming({ onClose }: { onClose: () => void }) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(navigator.onLine), LONG);
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
      {words.common.loading}
      {isLate ? (
        <button type="button" onClick={() => location.reload()} className={button}>
          {words.common.reload}
        </button>
      ) : null}
      <button type="button" onClick={onClose} className={button}>
        {words.common.cancel}
      </button>
    </div>
  );
}
