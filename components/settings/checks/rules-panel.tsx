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
import type { ClassifyRule, ClassifyRules } from "#lib/classify/schema.ts";

const w = words.settings;
const PATH = "/classify/rules";

function percent(weight: number): string {
  return formatPercent(weight * 100);
}

export function RulesPanel({ rules: rendered }: { rules: ClassifyRules }) {
  const mayManage = useCan("admin");
  const { data = rendered } = useApi<ClassifyRules>(PATH, { fallback: rendered });
  const columns: Column<ClassifyRule>[] = [
    { key: "rule", header: w.rule, primary: true, wrap: true, cell: (rule) => rule.describes },
    {
      key: "weight",
      header: w.weight,
      width: "18rem",
      cell: (rule) =>
        mayManage ? <WeightField key={rule.weight} rule={rule} /> : <Usual rule={rule} shown />,
    },
    {
      key: "on",
      header: w.state,
      width: "6rem",
      cell: (rule) => <RuleSwitch rule={rule} disabled={!mayManage} />,
    },
  ];
  return (
    <Panel title={w.rules} description={w.rulesHint(percent(data.vote_at))} flush>
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

type Change = { name: string; weight?: number; enabled?: boolean };

function useRuleChange(said: (change: Change) => string, back: Change) {
  const { mutate } = useSWRConfig();
  const change = useMutation<Change, ClassifyRules>(
    (rule) => apiFetch(PATH, { method: "PUT", body: { rules: [rule] } }),
    {
      onDone: (after, rule) => {
        void mutate(PATH, after, { revalidate: false });
        notifyDone(said(rule), { id: `rule-${rule.name}`, undo: () => void change.run(back) });
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return change;
}

function RuleSwitch({ rule, disabled }: { rule: ClassifyRule; disabled: boolean }) {
  const change = useRuleChange(({ enabled }) => (enabled ? w.ruleSwitchedOn : w.ruleSwitchedOff), {
    name: rule.name,
    enabled: rule.enabled,
  });
  return (
    <Switch
      label={w.ruleOn(rule.describes)}
      hideLabel
      checked={change.pending ? !rule.enabled : rule.enabled}
      disabled={disabled || change.pending}
      onChange={(event) => void change.run({ name: rule.name, enabled: event.target.checked })}
    />
  );
}

/** Per cent, saved on blur or Enter. */
function WeightField({ rule }: { rule: ClassifyRule }) {
  const kept = String(Math.round(rule.weight * 100));
  const [text, setText] = useState(kept);
  const change = useRuleChange(() => w.ruleChanged, { name: rule.name, weight: rule.weight });
  const wrong = !/^\d{1,3}$/.test(text) || Number(text) > 100;
  const keep = () => {
    if (wrong) {
      notifyFailed(w.weightWrong);
      setText(kept);
    } else if (text !== kept) {
      void change.run({ name: rule.name, weight: Number(text) / 100 });
    }
  };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="w-20">
        <Input
          size="sm"
          type="number"
          inputMode="numeric"
          min={0}
          max={100}
          aria-label={w.weightOf(rule.describes)}
          aria-invalid={wrong || undefined}
          value={text}
          className="tabular text-end"
          onChange={(event) => setText(event.target.value)}
          onBlur={keep}
          onKeyDown={(event) => {
            if (event.key === "Enter") event.currentTarget.blur();
          }}
        />
      </span>
      <span className="text-muted">%</span>
      {rule.weight === rule.default_weight ? null : (
        <>
          <IconButton
            label={w.resetWeight}
            icon={<RotateCcw />}
            pending={change.pending}
            onClick={() => void change.run({ name: rule.name, weight: rule.default_weight })}
          />
          <Usual rule={rule} />
        </>
      )}
    </span>
  );
}

function Usual({ rule, shown = false }: { rule: ClassifyRule; shown?: boolean }) {
  return (
    <span className="tabular">
      {shown ? percent(rule.weight) : null}
      {rule.weight === rule.default_weight ? null : (
        <span className="text-12 whitespace-nowrap text-muted"> {w.usual(percent(rule.default_weight))}</span>
      )}
    </span>
  );
}
