"use client";
import { useEffect } from "react";
import * as words from "#components/words/desk.ts";

/** That a window was asked for and is on its way; Escape and the button call it off. */
export function Coming({ onClose }: { onClose: () => void }) {
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
      <button
        type="button"
        onClick={onClose}
        className="h-control-sm rounded-md px-2 font-medium hover:bg-wash"
      >
        {words.common.cancel}
      </button>
    </div>
  );
}
