import type { DuplicateReport } from "./read-report.ts";

/** By the name that bots report; others are shown as they are. */
const matchTypes = { dhash: "looks alike", phash: "looks alike", url: "same address" } as Record<
  string,
  string
>;

/** What the bot claims. */
export function DuplicateDistance({ report: { kind, distance, hashes } }: { report: DuplicateReport }) {
  // A hexadecimal digit has four bits.
  const bits = (hashes.current ?? "").length * 4;
  const claim = [
    kind === null ? null : (matchTypes[kind] ?? kind),
    distance === null ? "without a distance" : `${distance} of ${bits} bits differ`,
  ];
  return (
    <dl className="grid min-w-0 grid-cols-[max-content_1fr] gap-x-4 gap-y-1 text-13">
      <dt className="text-muted">Claimed by the bot</dt>
      <dd>{claim.filter((part) => part !== null).join(" · ")}</dd>
      <dt className="text-muted">Hashes</dt>
      <dd dir="ltr" className="font-mono text-12 wrap-anywhere">
        {hashes.current ?? "–"} / {hashes.matched ?? "–"}
      </dd>
    </dl>
  );
}
