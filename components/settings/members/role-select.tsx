"use client";
import { roles } from "#components/words.ts";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMember } from "#components/shell/member-context.tsx";
import { AlertDialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import { notifyDone, notifyFailed } from "#components/ui/toast.tsx";
import type { Member } from "#lib/accounts/member-schema.ts";
import { apiFetch } from "#lib/client/api-fetch.ts";
import { useMutation } from "#lib/client/use-mutation.ts";

const roleHints = {
  admin: "Full access",
  reviewer: "Read, review, consume",
  viewer: "Read only",
} as const;

type Role = Member["role"];

export const roleOptions = (["admin", "reviewer", "viewer"] as const).map((role) => ({
  value: role,
  label: roles[role],
  hint: roleHints[role],
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
        const said = `${after.name} is now ${roles[after.role]}`;
        if (after.id === me.id) {
          notifyDone(said);
          router.refresh();
        } else {
          notifyDone(said, { id: `role-${member.id}`, undo: () => void change.run(member.role) });
        }
      },
      onFailed: (failure) => notifyFailed("The change failed", failure),
    },
  );
  return (
    <>
      <Select
        size="sm"
        aria-label={`Role of ${member.name}`}
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
        title="Change your own role"
        description={
          asked === undefined
            ? ""
            : `You become ${roles[asked]} immediately. Only another admin can restore your role.`
        }
        confirm="Change my role"
        onConfirm={() => {
          if (asked !== undefined) void change.run(asked);
        }}
      />
    </>
  );
}
