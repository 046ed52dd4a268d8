"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import { words } from "#components/words/en.ts";
import type { Member } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const w = words.settings;
type Role = Member["role"];

export const roleOptions = (["admin", "reviewer", "viewer"] as const).map((role) => ({
  value: role,
  label: words.shell.roles[role],
  hint: w.roleHints[role],
}));

/** Changing one's own role asks first, because it cannot be undone. */
export function RoleSelect({ member, onChanged }: { member: Member; onChanged: (member: Member) => void }) {
  const me = useMember();
  const router = useRouter();
  const [asked, setAsked] = useState<Role>();
  const [wanted, setWanted] = useState<Role>(member.role);
  const change = useMutation<Role, Member>(
    (role) => {
      setWanted(role);
      return apiFetch(`/members/${member.id}`, { method: "PATCH", body: { role } });
    },
    {
      onDone: (after) => {
        onChanged(after);
        const said = w.roleChanged(after.name, words.shell.roles[after.role]);
        if (after.id === me.id) {
          notifyDone(said);
          router.refresh();
        } else {
          notifyDone(said, { id: `role-${member.id}`, undo: () => void change.run(member.role) });
        }
      },
      onFailed: (failure) => notifyFailed(w.refused, failure),
    },
  );
  return (
    <>
      <Select
        size="sm"
        aria-label={w.roleOf(member.name)}
        value={change.pending ? wanted : member.role}
        disabled={change.pending}
        options={roleOptions}
        onChange={(event) => {
          const role = event.target.value as Role;
          if (member.id === me.id) setAsked(role);
          else void change.run(role);
        }}
      />
      <AlertDialog
        open={asked !== undefined}
        onOpenChange={(open) => (open ? undefined : setAsked(undefined))}
        title={w.ownRoleTitle}
        description={asked === undefined ? "" : w.ownRoleHint(words.shell.roles[asked])}
        confirm={w.ownRoleConfirm}
        onConfirm={() => {
          if (asked !== undefined) void change.run(asked);
        }}
      />
    </>
  );
}
