import type { Metadata } from "next";
import { NotFoundMessage } from "#components/shell/not-found-message.tsx";

export const metadata: Metadata = { title: "This page does not exist" };

/** Inside the shell, so that navigation stays usable. */
export default function NotFound() {
  return (
    <div className="flex min-h-[60dvh] flex-col items-center justify-center gap-1 text-center">
      <NotFoundMessage />
    </div>
  );
}
