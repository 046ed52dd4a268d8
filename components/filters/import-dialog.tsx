"use client";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Textarea } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formatCount } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { blockListSchemas, type BlockKind, type ImportResult } from "#lib/filters/schema.ts";

const w = words.filters;
type Result = ImportResult<BlockKind>;
const LISTED = 12;

export function ImportDialog({ kind }: { kind: BlockKind }) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [result, setResult] = useState<Result>();
  const path = `${blockListSchemas[kind].path}/import`;
  const preview = useMutation<void, Result>(
    () => apiFetch(`${path}?dry_run=true`, { method: "POST", body: { text } }),
    { onDone: setResult },
  );
  const confirm = useMutation<void, Result>(() => apiFetch(path, { method: "POST", body: { text } }), {
    refresh: ["/reblog-controls*", "/curated*", "/posts*"],
    onDone: ({ added }) => {
      change(false);
      notifyDone(w.imported(added));
    },
  });
  function change(next: boolean) {
    setOpen(next);
    setText("");
    setResult(undefined);
    preview.reset();
    confirm.reset();
  }
  const failure = preview.failure ?? confirm.failure;
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="lg"
      title={w.lists[kind].import}
      description={w.importHint}
      trigger={<Button size="sm">{w.import}</Button>}
      footer={
        <>
          <Button onClick={() => change(false)}>{words.common.cancel}</Button>
          {result && result.added > 0 ? (
            <Button variant="primary" pending={confirm.pending} onClick={() => void confirm.run()}>
              {w.importConfirm(formatCount(result.added))}
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={text.trim() === ""}
              pending={preview.pending}
              onClick={() => void preview.run()}
            >
              {w.preview}
            </Button>
          )}
        </>
      }
    >
      <div className="space-y-3">
        <Field label={w.importText} error={failure?.detail}>
          <Textarea
            rows={8}
            spellCheck={false}
            className="font-mono text-13"
            value={text}
            onChange={(event) => {
              setText(event.target.value);
              setResult(undefined);
            }}
          />
        </Field>
        <label className="block text-13">
          <span className="mb-1 block font-medium">{w.importFile}</span>
          <input
            type="file"
            accept=".csv,.txt,.json,text/plain,text/csv,application/json"
            className="max-w-full text-13 text-muted file:me-3 file:h-control-sm file:rounded-md file:border file:border-line-strong file:bg-surface file:px-2.5 file:text-13 file:font-medium file:text-text hover:file:bg-wash"
            onChange={(event) => {
              const file = event.target.files?.[0];
              setResult(undefined);
              if (file) void file.text().then((whole) => setText(oneList(whole, `blocked_${kind}s`)));
            }}
          />
        </label>
        {result ? <Difference result={result} /> : null}
      </div>
    </Dialog>
  );
}

/** The whole export may exceed the request size limit. */
function oneList(text: string, list: string): string {
  if (!text.trimStart().startsWith("{")) return text;
  try {
    const { format, [list]: entries } = JSON.parse(text) as Record<string, unknown>;
    return format === "sluice-export" ? JSON.stringify({ format, [list]: entries }) : text;
  } catch {
    return text;
  }
}

function Difference({ result }: { result: Result }) {
  return (
    <>
      <Notice tone={result.unreadable.length > 0 ? "warn" : "info"}>
        {w.importResult(
          formatCount(result.added),
          formatCount(result.existing),
          formatCount(result.unreadable.length),
        )}
      </Notice>
      {result.entries.length > 0 ? (
        <ul className="columns-2 text-13">
          {result.entries.slice(0, LISTED).map((entry) => {
            const name = "hashtag" in entry ? `#${entry.hashtag}` : entry.account_identifier;
            return (
              <li key={name} dir="auto" className="truncate">
                + {name}
              </li>
            );
          })}
          {result.entries.length > LISTED ? (
            <li className="text-muted">{w.importMore(formatCount(result.entries.length - LISTED))}</li>
          ) : null}
        </ul>
      ) : null}
      {result.unreadable.length > 0 ? (
        <ul className="text-13 text-muted">
          {result.unreadable.slice(0, LISTED).map((bad) => (
            <li key={bad.line} dir="auto" className="truncate">
              {w.line(formatCount(bad.line))}: {bad.text} – {bad.message}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
