import { useRouter } from "next/navigation";
import { useState } from "react";
import { formatCount, plural } from "#components/format.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { notifyDone } from "#components/ui/toast.tsx";
import type { UserImportResult } from "#lib/blocking/schema.ts";
import { asFailure, type ApiFailure } from "#lib/client/api-failure.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { withQuery } from "#lib/client/query-string.ts";
import { reachLines } from "./use-blocking.ts";
import { useQuestion, type ReachQuestion } from "./use-question.tsx";

/** Unreadable lines that the preview lists. */
const MAX_UNREADABLE = 12;

export function ImportDialog() {
  const router = useRouter();
  const { start, dialog, pending } = useQuestion();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [failure, setFailure] = useState<ApiFailure>();
  const change = (next: boolean) => {
    setOpen(next);
    setText("");
    setFailure(undefined);
  };
  const send = (query: { dry_run?: boolean; as_of?: string | undefined }) =>
    apiFetch<UserImportResult>(withQuery("/reblog-controls/blocked-users/import", query), {
      method: "POST",
      body: { text },
    });
  const failed = (thrown: unknown) => setFailure(asFailure(thrown));
  const apply = async (as_of: string | undefined): Promise<void> => {
    const { added } = await send({ as_of });
    change(false);
    notifyDone(`${formatCount(added)} added`);
    router.refresh();
  };
  const preview = async (): Promise<ReachQuestion> => {
    setFailure(undefined);
    const result = await send({ dry_run: true });
    const isNew = result.added > 0;
    const run = () => start(() => (isNew ? apply(result.as_of) : Promise.resolve()), failed);
    return {
      action: isNew ? `Add ${formatCount(result.added)}` : "Back",
      choices: [{ title: "Import these accounts and domains?", lines: linesOf(result), run }],
    };
  };
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
          <Button
            variant="primary"
            disabled={text.trim() === ""}
            pending={pending}
            onClick={() => void start(preview, failed)}
          >
            Preview
          </Button>
        </>
      }
    >
      <div className="space-y-3">
        <Field label="List" error={failure?.errors[0]?.message ?? failure?.detail}>
          <Textarea
            rows={8}
            spellCheck={false}
            className="font-mono text-13"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        <label className="block text-13">
          <span className="mb-1 block font-medium">Choose a file</span>
          <Input
            type="file"
            accept=".csv,.txt,text/plain,text/csv"
            onChange={(event) => void event.target.files?.[0]?.text().then(setText)}
          />
        </label>
        {dialog}
      </div>
    </Dialog>
  );
}

function linesOf(result: UserImportResult): string[] {
  const { added, existing, limited, ignored, unreadable } = result;
  const [fresh, known, bad] = [added, existing, unreadable.length].map(formatCount);
  return [
    `${fresh} new, ${known} already listed, ${bad} unreadable.`,
    ...(added > 0 ? reachLines(result) : []),
    ...(limited > 0
      ? [
          `${plural(limited, "domain is", "domains are")} only limited in this list (silence). Here they will be blocked like the others.`,
        ]
      : []),
    ...(ignored > 0
      ? [
          `${plural(ignored, "domain has", "domains have")} no limit in this list (noop) and will not be blocked.`,
        ]
      : []),
    ...unreadable
      .slice(0, MAX_UNREADABLE)
      .map(({ line, text, message }) => `Line ${line}: ${text} – ${message}`),
  ];
}
