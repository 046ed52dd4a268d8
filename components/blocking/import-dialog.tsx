import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { Notice } from "#components/ui/states.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import { formatCount, plural } from "#components/format.ts";
import type { UserImportResult } from "#lib/blocking/schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { reachLines } from "./use-blocking.ts";

const path = "/reblog-controls/blocked-users/import";
const LISTED = 12;

export function ImportDialog() {
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [result, setResult] = useState<UserImportResult>();
  const send = useMutation<{ dry_run?: true; as_of?: string | undefined }, UserImportResult>(
    (query) => apiFetch(withQuery(path, query), { method: "POST", body: { text } }),
    {
      onDone: (answer) => {
        if (answer.dry_run) return setResult(answer);
        change(false);
        notifyDone(answer.added === 1 ? "1 added" : `${answer.added} added`);
        router.refresh();
      },
      // The figures are asked for again.
      onFailed: () => setResult(undefined),
    },
  );
  function change(next: boolean) {
    setOpen(next);
    edit("");
    send.reset();
  }
  function edit(next: string) {
    setText(next);
    setResult(undefined);
  }
  return (
    <Dialog
      open={open}
      onOpenChange={change}
      width="lg"
      title="Import blocked accounts and domains"
      description="One account or domain per line, a CSV file, or Mastodon's export of blocks. You see a preview first."
      trigger={<Button size="sm">Import</Button>}
      footer={
        <>
          <Button onClick={() => change(false)}>Cancel</Button>
          {result && result.added > 0 ? (
            <Button
              variant="primary"
              pending={send.pending}
              onClick={() => void send.run({ as_of: result.as_of })}
            >
              Add {formatCount(result.added)}
            </Button>
          ) : (
            <Button
              variant="primary"
              disabled={text.trim() === ""}
              pending={send.pending}
              onClick={() => void send.run({ dry_run: true })}
            >
              Preview
            </Button>
          )}
        </>
      }
    >
      <div className="space-y-3">
        <Field label="List" error={send.failure?.errors[0]?.message ?? send.failure?.detail}>
          <Textarea
            rows={8}
            spellCheck={false}
            className="font-mono text-13"
            value={text}
            onChange={(event) => edit(event.target.value)}
          />
        </Field>
        <label className="block text-13">
          <span className="mb-1 block font-medium">Choose a file</span>
          <Input
            type="file"
            accept=".csv,.txt,text/plain,text/csv"
            onChange={(event) => void event.target.files?.[0]?.text().then(edit)}
          />
        </label>
        {result ? <Difference result={result} /> : null}
      </div>
    </Dialog>
  );
}

function Difference({ result }: { result: UserImportResult }) {
  return (
    <>
      <Notice tone={result.unreadable.length > 0 ? "warn" : "info"}>
        {formatCount(result.added)} new, {formatCount(result.existing)} already listed,{" "}
        {formatCount(result.unreadable.length)} unreadable.
      </Notice>
      {result.added > 0 ? <p className="tabular text-13">{reachLines(result).join(" ")}</p> : null}
      {result.limited > 0 ? (
        <Notice tone="warn">
          {plural(result.limited, "domain is", "domains are")} only limited in this list (silence). Here they
          will be blocked like the others.
        </Notice>
      ) : null}
      {result.ignored > 0 ? (
        <p className="tabular text-13">
          {plural(result.ignored, "domain has", "domains have")} no limit in this list (noop) and will not be
          blocked.
        </p>
      ) : null}
      {result.unreadable.length > 0 ? (
        <ul className="text-13 text-muted">
          {result.unreadable.slice(0, LISTED).map((bad) => (
            <li key={bad.line} dir="auto" className="truncate">
              Line {formatCount(bad.line)}: {bad.text} – {bad.message}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}
