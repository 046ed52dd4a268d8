"use client";
import { Archive, ArrowDown, ArrowUp, Pencil } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Panel } from "#components/ui/card.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Select } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import { MAX_REASONS, type RejectReason, type RejectReasonUpdate } from "#lib/review/reject-reason-schema.ts";
import { aboutOptions, AddReason, REASONS_PATH, RenameReason } from "./reason-forms.tsx";

interface Change {
  reason: RejectReason;
  change: RejectReasonUpdate;
  done: string;
}

/** The list, with every change at once on the server. */
export function ReasonsBoard({ reasons: rendered }: { reasons: RejectReason[] }) {
  const { data = rendered } = useApi<RejectReason[]>(REASONS_PATH, { fallback: rendered });
  const [renamed, setRenamed] = useState<RejectReason | null>(null);
  // The layout passes the reasons to desk and lists.
  const router = useRouter();
  const save = useMutation<Change, RejectReason>(
    ({ reason, change }) => apiFetch(`${REASONS_PATH}/${reason.id}`, { method: "PATCH", body: change }),
    {
      refresh: [REASONS_PATH],
      onDone: (_answer, { done }) => {
        notifyDone(done);
        router.refresh();
      },
      onFailed: (failure) => notifyFailed("The reason was not changed", failure),
    },
  );
  const run = (reason: RejectReason, change: RejectReasonUpdate, done = `“${reason.label}” changed`) =>
    void save.run({ reason, change, done });
  const inUse = data.filter(({ place }) => place !== null);
  const archived = data.filter(({ place }) => place === null);
  const label: Column<RejectReason> = {
    key: "label",
    header: "Reason",
    primary: true,
    wrap: true,
    cell: (reason) => <bdi>{reason.label}</bdi>,
  };
  const columns: Column<RejectReason>[] = [
    { key: "key", header: "Key", width: "4rem", cell: ({ place }) => place },
    label,
    {
      key: "about",
      header: "Shown by",
      width: "12rem",
      cell: (reason) => (
        <Select
          aria-label={`“${reason.label}” is shown by`}
          value={reason.about}
          options={aboutOptions}
          onChange={(event) => run(reason, { about: event.target.value as RejectReason["about"] })}
        />
      ),
    },
    {
      key: "act",
      header: "Actions",
      hideHeader: true,
      width: "11rem",
      cell: (reason) => {
        const place = reason.place ?? 0;
        return (
          <span className="flex desk:justify-end">
            <IconButton
              label={`Move “${reason.label}” up`}
              icon={<ArrowUp />}
              disabled={place === 1}
              onClick={() => run(reason, { place: place - 1 })}
            />
            <IconButton
              label={`Move “${reason.label}” down`}
              icon={<ArrowDown />}
              disabled={place === inUse.length}
              onClick={() => run(reason, { place: place + 1 })}
            />
            <IconButton
              label={`Rename “${reason.label}”`}
              icon={<Pencil />}
              onClick={() => setRenamed(reason)}
            />
            <IconButton
              label={`Archive “${reason.label}”`}
              icon={<Archive />}
              onClick={() => run(reason, { archived: true }, `“${reason.label}” archived`)}
            />
          </span>
        );
      },
    },
  ];
  const restoring: Column<RejectReason> = {
    key: "act",
    header: "Actions",
    hideHeader: true,
    width: "8rem",
    cell: (reason) => (
      <Button
        size="sm"
        disabled={inUse.length >= MAX_REASONS}
        onClick={() => run(reason, { archived: false }, `“${reason.label}” restored`)}
      >
        Restore
      </Button>
    ),
  };
  return (
    <div className="space-y-6">
      <Panel
        title="Rejection reasons"
        description="For the whole team. The number is the key at the desk. A reason is stored with the rejection, counted, and a filter of posts. The learner ignores rejections for reasons that no text shows."
        flush
      >
        {inUse.length < MAX_REASONS ? (
          <AddReason />
        ) : (
          <p className="border-b border-line px-4 py-3 text-13 text-muted">
            Nine reasons are in use, one for each key. Archive one to add another.
          </p>
        )}
        <DataTable
          caption="Rejection reasons"
          columns={columns}
          rows={inUse}
          rowKey={({ id }) => id}
          empty={
            <EmptyState title="No reasons" className="py-8">
              Posts are rejected without a reason.
            </EmptyState>
          }
        />
      </Panel>
      {archived.length === 0 ? null : (
        <Panel
          title="Archived reasons"
          description="Rejections keep them. Restore one to use it again."
          flush
        >
          <DataTable
            caption="Archived reasons"
            columns={[label, restoring]}
            rows={archived}
            rowKey={({ id }) => id}
          />
        </Panel>
      )}
      {renamed ? <RenameReason reason={renamed} onClose={() => setRenamed(null)} /> : null}
    </div>
  );
}
