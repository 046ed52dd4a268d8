"use client";
import { Ban } from "lucide-react";
import { useId, useState } from "react";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { GeneralKeys, KeyRows } from "#components/shell/key-help.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, Sheet } from "#components/ui/dialog.tsx";
import { words } from "#components/words/en.ts";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { DeskState } from "#lib/client/desk/state.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { deskKeyHelp } from "./desk-key-help.ts";
import { HistoryList } from "./history-list.tsx";
import { QuickReasons } from "./quick-reasons.tsx";

const w = words.review;

/** All dialogs are loaded with the first one. */
export type OpenDialog =
  | { kind: "keys" }
  | { kind: "settings" }
  | { kind: "history" }
  | { kind: "reasons" }
  | { kind: "hashtags"; tags: readonly string[]; blocked: readonly string[] };

export interface DeskDialogsProps {
  open: OpenDialog;
  onClose: () => void;
  preferences: DeskPreferences;
  onPreferences: (preferences: DeskPreferences) => void;
  mayManage: boolean;
  reasons: readonly RejectReason[];
  onReason: (reason: RejectReason, at: number) => void;
  onBlockHashtag: (tag: string) => void;
  state: DeskState;
  store: DeskStore;
}

export function DeskDialogs(props: DeskDialogsProps) {
  const { open, onClose, preferences, onPreferences } = props;
  const root = { open: true, onOpenChange: (next: boolean) => !next && onClose() };
  switch (open.kind) {
    case "keys":
      return <KeysDialog {...props} />;
    case "settings":
      return (
        <SettingsDialog
          preferences={preferences}
          onClose={onClose}
          onSaved={(now) => {
            onPreferences(now);
            onClose();
          }}
        />
      );
    case "history":
      return (
        <Sheet {...root} title={w.history}>
          <HistoryList state={props.state} store={props.store} />
        </Sheet>
      );
    case "reasons":
      return (
        <Sheet {...root} side="bottom" title={w.reason}>
          {props.reasons.length === 0 ? (
            <p className="text-13 text-muted">{words.reviewTools.noReasons}</p>
          ) : null}
          <QuickReasons
            reasons={props.reasons}
            disabled={false}
            onReason={(reason, at) => {
              onClose();
              props.onReason(reason, at);
            }}
            className="flex flex-col"
          />
        </Sheet>
      );
    case "hashtags":
      return (
        <Dialog
          {...root}
          title={words.reviewTools.blockHashtagTitle}
          description={words.reviewTools.blockHashtagHint}
          width="sm"
        >
          <ul className="flex flex-col gap-1">
            {open.tags.map((tag) => (
              <li key={tag}>
                <Button
                  size="sm"
                  className="w-full justify-start"
                  icon={<Ban aria-hidden />}
                  disabled={open.blocked.includes(tag)}
                  onClick={() => {
                    onClose();
                    props.onBlockHashtag(tag);
                  }}
                >
                  <bdi className="truncate">#{tag}</bdi>
                </Button>
              </li>
            ))}
          </ul>
        </Dialog>
      );
  }
}

function SettingsDialog({
  preferences,
  onClose,
  onSaved,
}: {
  preferences: DeskPreferences;
  onClose: () => void;
  onSaved: (preferences: DeskPreferences) => void;
}) {
  const form = useId();
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={words.reviewTools.settingsTitle}
      description={words.reviewTools.settingsHint}
      width="lg"
      footer={
        <Button type="submit" form={form} variant="primary">
          {words.common.save}
        </Button>
      }
    >
      <DeskSettings form={form} preferences={preferences} onSaved={onSaved} />
    </Dialog>
  );
}

function KeysDialog({ onClose, preferences, onPreferences, mayManage, reasons }: DeskDialogsProps) {
  const [changing, setChanging] = useState(false);
  const root = { open: true, onOpenChange: (next: boolean) => !next && onClose() };
  if (changing) {
    return (
      <SettingsDialog
        preferences={preferences}
        onClose={onClose}
        onSaved={(now) => {
          onPreferences(now);
          setChanging(false);
        }}
      />
    );
  }
  return (
    <Dialog
      {...root}
      title={words.reviewTools.keysTitle}
      description={preferences.keys_on ? words.reviewTools.keysHint : words.reviewTools.keysOff}
      isText
      width="lg"
      footer={<Button onClick={() => setChanging(true)}>{words.reviewTools.settingsTitle}</Button>}
    >
      <div className="flex flex-col gap-5">
        {deskKeyHelp(mayManage, reasons).map((section) => (
          <KeyRows key={section.title} section={section} />
        ))}
        <GeneralKeys />
      </div>
    </Dialog>
  );
}
