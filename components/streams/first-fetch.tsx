import { plural } from "#components/format.ts";
import { ButtonLink } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { Spinner } from "#components/ui/spinner.tsx";
import type { FetchRun, Stream } from "#lib/collect/stream-schema.ts";
import { skippedBy } from "./runs-panel.tsx";

/** The result is shown this long after the fetch. */
const SHOWN_MS = 10 * 60_000;

export const isRunning = (run: FetchRun | undefined) =>
  run !== undefined && run.finished_at === null && run.error === null;

export const awaitsFirst = (stream: Stream) =>
  stream.state === "checking" && stream.next_scheduled_fetch !== null;

/** From the moment a stream is added until some minutes after its first fetch. */
export function FirstFetch({ stream, runs, now }: { stream: Stream; runs: FetchRun[]; now: number }) {
  const [run, ...earlier] = runs;
  const isOld = run?.finished_at != null && now - Date.parse(run.finished_at) > SHOWN_MS;
  if (earlier.length > 0 || isOld || (run === undefined && !awaitsFirst(stream)) || run?.error != null)
    return null;
  return (
    <Panel title="First fetch">
      <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-2 text-13">
        {run === undefined ? (
          <>
            <Spinner />
            <span className="wrap-anywhere">{stream.instance} is fetched shortly.</span>
          </>
        ) : (
          <Progress stream={stream} run={run} />
        )}
      </div>
    </Panel>
  );
}

function Progress({ stream, run }: { stream: Stream; run: FetchRun }) {
  const running = isRunning(run);
  const skipped = skippedBy(run);
  return (
    <>
      {running ? <Spinner /> : null}
      <span className="font-medium wrap-anywhere">
        {running
          ? `Reading ${stream.instance}`
          : run.new > 0
            ? "The first posts are here."
            : run.duplicates > 0
              ? `All ${run.duplicates} are already here, from other streams. New ones are fetched on schedule.`
              : "The server has no posts to keep yet. It is asked again on schedule."}
      </span>
      <span className="tabular text-muted">
        {[
          plural(run.pages, "page read", "pages read"),
          `${plural(run.new, "new post", "new posts")} of ${plural(run.seen, "post", "posts")} read`,
          ...(skipped > 0 ? [plural(skipped, "post skipped", "posts skipped")] : []),
        ].join(" · ")}
      </span>
      {!running && run.new > 0 ? (
        <ButtonLink size="sm" href={`/review?stream_id=${stream.id}`}>
          Review them
        </ButtonLink>
      ) : null}
    </>
  );
}
