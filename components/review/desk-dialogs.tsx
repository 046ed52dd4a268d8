"use client";
import { Ban } from "lucide-react";
import { useId, useState } from "react";
import { DeskSettings } from "#components/desk-settings/desk-settings.tsx";
import { GeneralKeys, KeyRows } from "#components/shell/key-help.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, Sheet } from "#components/ui/dialog.tsx";
import type { DeskPreferences } from "#lib/client/desk/preferences.ts";
import type { DeskState } from "#lib/client/desk/state.ts";
import type { DeskStore } from "#lib/client/desk/store.ts";
import type { RejectReason } from "#lib/review/reject-reason-schema.ts";
import { deskKeyHelp } from "./desk-key-help.ts";
import { HistoryList } from "./history-list.tsx";
import { QuickReasons } from "./quick-reasons.tsx";

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
        <Sheet {...root} title="Recent decisions">
          <HistoryList state={props.state} store={props.store} />
        </Sheet>
      );
    case "reasons":
      return (
        <Sheet {...root} side="bottom" title="Reject with a reason">
          {props.reasons.length === 0 ? (
            <p className="text-13 text-muted">No reasons. An admin adds them under Settings → Team.</p>
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
          title="Block a hashtag"
          description="Posts with this hashtag are rejected when fetched."
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
      title="Desk settings"
      description="Only for you, on all your devices."
      width="lg"
      footer={
        <Button type="submit" form={form} variant="primary">
          Save
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
      title="Keys"
      description={
        preferences.keys_on
          ? "They work while no text field has the focus and no dialog is open."
          : "Keys are off"
      }
      isText
      width="lg"
      footer={<Button onClick={() => setChanging(true)}>Desk settings</Button>}
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
