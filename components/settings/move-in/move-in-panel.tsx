"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { ErrorState, Notice } from "#components/ui/states.tsx";
import { notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { MAX_UPLOAD, type ImportState } from "#lib/import-fenliu/schema.ts";
import { ImportReportPanel } from "./import-report-panel.tsx";
import { uploadFile } from "./upload-file.ts";

const w = words.moveIn;
const PATH = "/import-fenliu";
const POLL_MS = 2_000;

/** @param state null without a disk */
export function MoveInPanel({ state }: { state: ImportState | null }) {
  return state === null ? (
    <Panel title={w.panel} description={w.hint}>
      <p className="text-13">{w.noDisk}</p>
      <pre className="mt-2 overflow-x-auto text-13">npm run sluice -- import-fenliu fenliu.db --dry-run</pre>
    </Panel>
  ) : (
    <MoveIn state={state} />
  );
}

function MoveIn({ state: rendered }: { state: ImportState }) {
  const [polls, setPolls] = useState(rendered.running !== null);
  const {
    data: state = rendered,
    failure,
    reload,
  } = useApi<ImportState>(PATH, {
    fallback: rendered,
    refreshEvery: polls ? POLL_MS : 0,
  });
  const { file, running, report } = state;
  if (polls !== (running !== null)) setPolls(running !== null);
  const show = (next: ImportState) => void reload(next, { revalidate: false });
  if (failure !== undefined)
    return <ErrorState title={w.loadFailed} failure={failure} onRetry={() => void reload()} />;
  const isReady = file !== null && file.uploaded === file.size;
  return (
    <div className="space-y-6">
      <Panel title={w.panel} description={w.hint}>
        <div className="space-y-4" aria-live="polite">
          {running === null ? <FileForm state={state} onState={show} /> : null}
          {running === null && isReady ? <StartForm size={file.size} onState={show} /> : null}
          {running === null ? null : (
            <ProgressLine
              part={running.progress}
              text={w.running(running.dry_run, running.started_by, percentOf(running.progress))}
            />
          )}
        </div>
      </Panel>
      {report === null ? null : <ImportReportPanel report={report} />}
    </div>
  );
}

const percentOf = (part: number) => Math.floor(part * 100);

function ProgressLine({ part, text }: { part: number; text: string }) {
  return (
    <div className="space-y-1">
      <progress aria-label={w.progress} value={part} max={1} className="block w-full accent-current" />
      <p className="text-13">{text}</p>
    </div>
  );
}

function FileForm({ state, onState }: { state: ImportState; onState: (state: ImportState) => void }) {
  const [chosen, setChosen] = useState<File | null>(null);
  const [part, setPart] = useState(0);
  const upload = useMutation<File, ImportState>((file) => uploadFile(file, state, setPart), {
    // An interrupted upload goes on from the parts that have arrived.
    refresh: [PATH],
    onDone: onState,
    onFailed: (failure) => {
      notifyFailed(w.uploadFailed, failure);
      void apiFetch<ImportState>(PATH).then(onState, () => undefined);
    },
  });
  const isTooLarge = chosen !== null && chosen.size > MAX_UPLOAD;
  const { file } = state;
  return (
    <form
      className="space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (chosen !== null && !isTooLarge) void upload.run(chosen);
      }}
    >
      {file !== null && file.uploaded < file.size && !upload.pending ? (
        <Notice>{w.halfway(percentOf(file.uploaded / file.size))}</Notice>
      ) : null}
      <Field label={w.file} hint={w.fileHint} error={isTooLarge ? w.tooLarge : undefined}>
        <Input
          type="file"
          accept=".db,.sqlite,.sqlite3,application/vnd.sqlite3"
          disabled={upload.pending}
          onChange={(event) => setChosen(event.target.files?.[0] ?? null)}
        />
      </Field>
      {upload.pending ? <ProgressLine part={part} text={w.uploading(percentOf(part))} /> : null}
      <Button type="submit" disabled={chosen === null || isTooLarge || upload.pending}>
        {w.upload}
      </Button>
    </form>
  );
}

function StartForm({ size, onState }: { size: number; onState: (state: ImportState) => void }) {
  const start = useMutation<boolean, ImportState>(
    (dry_run) => apiFetch(`${PATH}/start`, { method: "POST", body: { dry_run } }),
    { onDone: onState, onFailed: (failure) => notifyFailed(w.startFailed, failure) },
  );
  const discard = useMutation<void>(() => apiFetch(PATH, { method: "DELETE" }), {
    onDone: () => onState({ file: null, running: null, report: null }),
    onFailed: (failure) => notifyFailed(w.discardFailed, failure),
  });
  return (
    <div className="space-y-2 border-t border-line pt-4">
      <p className="text-13">
        {w.ready((size / 1_000_000).toFixed(1))} {w.dryRunHint}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={start.pending} onClick={() => void start.run(true)}>
          {w.dryRun}
        </Button>
        <AlertDialog
          title={w.importAsk}
          description={w.importAskHint}
          confirm={w.import}
          onConfirm={() => void start.run(false)}
          pending={start.pending}
          trigger={<Button disabled={start.pending}>{w.import}</Button>}
        />
        <Button variant="quiet" disabled={discard.pending} onClick={() => void discard.run()}>
          {w.discard}
        </Button>
      </div>
    </div>
  );
}
