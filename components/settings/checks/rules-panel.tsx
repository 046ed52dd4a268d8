"use client";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { useSWRConfig } from "swr";
import { Panel } from "#components/ui/card.tsx";
import { Switch } from "#components/ui/choice.tsx";
import { DataTable, type Column } from "#components/ui/data-table.tsx";
import { IconButton } from "#components/ui/icon-button.tsx";
import { Input } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { useCan } from "#components/shell/member-context.tsx";
import { formatPercent } from "#components/words/format.ts";
import { words } from "#components/words/en.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useApi } from "#lib/client/use-api.ts";
import { useMutation } from "#lib/client/use-mutation.ts";
import type { ClassifyRule, ClassifyRules } from "#lib/checks/rules/schema.ts";
import { ChangeBar } from "./change-bar.tsx";
import { asPercent, readPercent } from "./percent.ts";

const w = words.settings;
const PATH = "/classify/rules";

/** Per cent, as typed. */
interface Draft {
  weight: string;
  enabled: boolean;
}
type Change = { name: string; weight?: number; enabled?: boolean };

function draftOf(rule: ClassifyRule): Draft {
  return { weight: asPercent(rule.weight), enabled: rule.enabled };
}

/** Null if the weight is not a percentage. */
function changeOf(rule: ClassifyRule, draft: Draft): Change | null {
  const weight = readPercent(draft.weight, 0);
  if (weight === null) return null;
  return {
    name: rule.name,
    ...(draft.weight.trim() === asPercent(rule.weight) ? {} : { weight }),
    ...(draft.enabled === rule.enabled ? {} : { enabled: draft.enabled }),
  };
}

export function RulesPanel({ rules: rendered }: { rules: ClassifyRules }) {
  const mayManage = useCan("admin");
  const { data = rendered } = useApi<ClassifyRules>(PATH, { fallback: rendered });
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({});
  const edit = (rule: ClassifyRule, part: Partial<Draft> | null) =>
    setDrafts(({ [rule.name]: old, ...others }) =>
      part === null ? others : { ...others, [rule.name]: { ...(old ?? draftOf(rule)), ...part } },
    );
  const draftFor = (rule: ClassifyRule) => drafts[rule.name] ?? draftOf(rule);
  const columns: Column<ClassifyRule>[] = [
    {
      key: "rule",
      header: w.rule,
      primary: true,
      wrap: true,
      cell: (rule) => (
        <>
          {rule.describes}
          {mayManage ? (
            <RuleChange rule={rule} draft={draftFor(rule)} onDone={() => edit(rule, null)} />
          ) : null}
        </>
      ),
    },
    {
      key: "weight",
      header: w.weight,
      width: "18rem",
      cell: (rule) =>
        mayManage ? (
          <WeightField rule={rule} draft={draftFor(rule)} onEdit={(weight) => edit(rule, { weight })} />
        ) : (
          <Usual rule={rule} shown />
        ),
    },
    {
      key: "on",
      header: w.state,
      width: "6rem",
      cell: (rule) => (
        <Switch
          label={w.ruleOn(rule.describes)}
          hideLabel
          checked={draftFor(rule).enabled}
          disabled={!mayManage}
          onChange={(event) => edit(rule, { enabled: event.target.checked })}
        />
      ),
    },
  ];
  return (
    <Panel title={w.rules} description={w.rulesHint(formatPercent(data.vote_at * 100))} flush>
      <DataTable
        caption={w.rules}
        columns={columns}
        rows={data.rules}
        rowKey={(rule) => rule.name}
        density="comfortable"
      />
    </Panel>
  );
}

function RuleChange({ rule, draft, onDone }: { rule: ClassifyRule; draft: Draft; onDone: () => void }) {
  const { mutate } = useSWRConfig();
  const save = useMutation<Change, ClassifyRules>(
    (change) => apiFetch(PATH, { method: "PUT", body: { rules: [change] } }),
    {
      onDone: (answer) => {
        void mutate(PATH, answer, { revalidate: false });
        void mutate("/checks/settings");
        onDone();
        notifyDone(words.checks.saved, { id: `rule-${rule.name}` });
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  const change = changeOf(rule, draft);
  if (change === null) return <p className="text-12 font-normal text-reject">{w.weightWrong}</p>;
  if (Object.keys(change).length === 1) return null;
  return (
    <div className="mt-2 font-normal">
      <ChangeBar
        change={change}
        name={rule.describes}
        pending={save.pending}
        onSave={() => void save.run(change)}
        onCancel={onDone}
      />
    </div>
  );
}

function WeightField({
  rule,
  draft,
  onEdit,
}: {
  rule: ClassifyRule;
  draft: Draft;
  onEdit: (weight: string) => void;
}) {
  const usual = asPercent(rule.default_weight);
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="w-20">
        <Input
          size="sm"
          inputMode="numeric"
          aria-label={w.weightOf(rule.describes)}
          aria-invalid={readPercent(draft.weight, 0) === null || undefined}
          value={draft.weight}
          className="tabular text-end"
          onChange={(event) => onEdit(event.target.value)}
        />
      </span>
      <span className="text-muted">%</span>
      {draft.weight.trim() === usual ? null : (
        <>
          <IconButton label={w.resetWeight} icon={<RotateCcw />} onClick={() => onEdit(usual)} />
          <Usual rule={rule} />
        </>
      )}
    </span>
  );
}

function Usual({ rule, shown = false }: { rule: ClassifyRule; shown?: boolean }) {
  return (
    <span className="tabular">
      {shown ? formatPercent(rule.weight * 100) : null}
      {rule.weight === rule.default_weight ? null : (
        <span className="text-12 whitespace-nowrap text-muted">
          {" "}
          {w.usual(formatPercent(rule.default_weight * 100))}
        </span>
      )}
    </span>
  );
}
