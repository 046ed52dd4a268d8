"use client";
import { useEffect, useRef, useState } from "react";
import { Spinner } from "#components/ui/spinner.tsx";
import { useApi } from "#lib/client/use-api.ts";
import type { DuplicateComparison } from "#lib/media/schema.ts";
import type { DuplicateReport } from "./read-report.ts";

/** By the name that bots report; others are shown as they are. */
const matchTypes = { dhash: "looks alike", phash: "looks alike", url: "same address" } as Record<
  string,
  string
>;

/** A hexadecimal digit has four. */
const bitsOf = (hash: string | null) => (hash ?? "").length * 4;

/** The distance that the bot claims, and the one measured here when the card comes into view. */
export function DuplicateDistance({ postId, report }: { postId: number; report: DuplicateReport }) {
  const [place, isSeen] = useSeen();
  const { data, failure } = useApi<DuplicateComparison>(isSeen ? `/stats/duplicates/${postId}` : null, {
    refreshOnFocus: false,
  });
  return (
    <div ref={place} className="min-w-0 space-y-1 text-13">
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1">
        <dt className="text-muted">Claimed by the bot</dt>
        <dd>
          {[
            report.kind === null ? null : (matchTypes[report.kind] ?? report.kind),
            report.distance === null
              ? "without a distance"
              : `${report.distance} of ${bitsOf(report.hashes.current)} bits differ`,
          ]
            .filter((part) => part !== null)
            .join(" · ")}
        </dd>
        <dt className="text-muted">Measured here</dt>
        <dd>
          <span role="status">
            {data === undefined ? (
              (failure?.detail ?? <Spinner className="inline" />)
            ) : (
              <Measured comparison={data} />
            )}
          </span>
        </dd>
      </dl>
      <Hashes report={report} comparison={data} />
    </div>
  );
}

function Measured({ comparison }: { comparison: DuplicateComparison }) {
  const { distance, current, matched, same_picture: same } = comparison;
  if (distance === null)
    return current.problem ?? matched.problem ?? "One picture has too little detail to compare";
  return (
    <>
      {distance.dhash} of {bitsOf(current.dhash)} bits differ ·{" "}
      <span className="font-medium">{same === true ? "the same picture" : "another picture"}</span>
    </>
  );
}

function Hashes({
  report: { hashes },
  comparison,
}: {
  report: DuplicateReport;
  comparison: DuplicateComparison | undefined;
}) {
  const rows = [
    { label: "Claimed by the bot", current: hashes.current, matched: hashes.matched },
    { label: "Measured here", current: comparison?.current.dhash, matched: comparison?.matched.dhash },
  ];
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer text-12 text-muted">Hashes</summary>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-12">
        {rows.map(({ label, current, matched }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd dir="ltr" className="font-mono wrap-anywhere">
              {current ?? "–"} / {matched ?? "–"}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** Comparing downloads both pictures, so a long list compares only the pairs in view. */
function useSeen() {
  const place = useRef<HTMLDivElement>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        setSeen(true);
        observer.disconnect();
      },
      { rootMargin: "300px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return [place, isSeen] as const;
}
