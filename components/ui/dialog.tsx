"use client";
import { X } from "lucide-react";
import { AlertDialog as RadixAlert, Dialog as Radix } from "radix-ui";
import { useEffect, useRef, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { IconButton } from "./icon-button.tsx";
import { loadToasts } from "./toast.tsx";

const scrim = "fixed inset-0 z-40 animate-fade-in bg-scrim";
const panel =
  "fixed z-50 flex flex-col border border-line bg-raised text-text shadow-hairline focus-visible:outline-none";
const centred =
  "inset-x-4 top-1/2 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in rounded-lg";

interface Opening {
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Omit when `open` is controlled. */
  trigger?: ReactElement;
}

export interface DialogProps extends Opening {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  width?: "sm" | "md" | "lg" | "xl";
  /** A long text without controls: it takes the focus, so that the keyboard can scroll it. */
  isText?: boolean;
  side?: keyof typeof sides | undefined;
  /** `preventDefault` and move the focus to change where it returns. */
  onCloseAutoFocus?: (event: Event) => void;
}

const sides = {
  end: "inset-y-0 end-0 w-full max-w-md animate-slide-in border-y-0 border-e-0",
  bottom:
    "inset-x-0 bottom-0 max-h-[85dvh] animate-slide-up rounded-t-lg border-x-0 border-b-0 pb-[env(safe-area-inset-bottom)]",
};
const widths = { sm: "max-w-sm", md: "max-w-md", lg: "max-w-2xl", xl: "max-w-5xl" };

export function Dialog({
  title,
  description,
  children,
  footer,
  width = "md",
  isText = false,
  side,
  trigger,
  onCloseAutoFocus,
  ...root
}: DialogProps) {
  const focus = useFocus(trigger !== undefined);
  return (
    <Radix.Root {...root}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className={scrim} />
        <Radix.Content
          className={cn(panel, side ? sides[side] : [centred, widths[width]])}
          {...focus}
          {...(onCloseAutoFocus ? { onCloseAutoFocus } : {})}
          {...(description ? {} : { "aria-describedby": undefined })}
        >
          <PanelHead title={title} description={description} />
          <div
            className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 focus-visible:-outline-offset-2"
            {...(isText ? { tabIndex: 0, role: "region", "aria-label": title } : {})}
          >
            {children}
          </div>
          {footer ? <PanelFoot>{footer}</PanelFoot> : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface SheetProps extends Omit<DialogProps, "trigger" | "width" | "isText" | "onCloseAutoFocus"> {
  side?: keyof typeof sides;
}

/** A dialog at an edge of the screen. */
export function Sheet({ side = "end", ...dialog }: SheetProps) {
  return <Dialog {...dialog} side={side} />;
}

/** Without a trigger Radix would drop the focus. */
export function useFocus(hasTrigger: boolean) {
  const { remember, ...back } = useFocusReturn(hasTrigger);
  const onOpenAutoFocus = (event: Event) => {
    remember();
    focusInside(event);
  };
  return { onOpenAutoFocus, ...back };
}

function useFocusReturn(hasTrigger: boolean) {
  const before = useRef<Element | null>(null);
  const remember = () => {
    before.current = document.activeElement;
  };
  const onCloseAutoFocus = (event: Event) => {
    if (!(before.current instanceof HTMLElement)) return;
    event.preventDefault();
    before.current.focus();
  };
  return hasTrigger ? { remember } : { remember, onCloseAutoFocus };
}

/** Radix would focus the close button. */
function focusInside(event: Event): void {
  event.preventDefault();
  const content = event.currentTarget;
  if (!(content instanceof HTMLElement)) return;
  const field = content.querySelector<HTMLElement>("input:not([type=hidden]), select, textarea, [autofocus]");
  (field ?? content).focus();
}

function PanelHead({ title, description }: { title: string; description: ReactNode }) {
  // A failure over a dialog is a toast, at the desk too.
  useEffect(loadToasts, []);
  return (
    <div className="flex items-start gap-3 px-5 pt-4 pb-3">
      <div className="min-w-0 flex-1">
        <Radix.Title className="pt-1 text-16 font-semibold">{title}</Radix.Title>
        {description ? (
          <Radix.Description className="mt-0.5 text-13 text-muted">{description}</Radix.Description>
        ) : null}
      </div>
      <Radix.Close asChild>
        <IconButton label="Close" icon={<X />} className="-me-2" />
      </Radix.Close>
    </div>
  );
}

function PanelFoot({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 desk:px-5">
      {children}
    </div>
  );
}

export interface AlertDialogProps extends Opening {
  title: string;
  description: ReactNode;
  confirm: string;
  /** `preventDefault` keeps the dialog open. */
  onConfirm: (event: MouseEvent) => void;
  /** Default "danger". */
  tone?: "danger" | "primary";
  pending?: boolean;
  width?: DialogProps["width"];
  children?: ReactNode;
}

/** Where undo is possible, use a toast. */
export function AlertDialog({
  title,
  description,
  confirm,
  onConfirm,
  tone = "danger",
  pending = false,
  width = "md",
  trigger,
  children,
  ...root
}: AlertDialogProps) {
  const { remember, ...back } = useFocusReturn(trigger !== undefined);
  return (
    <RadixAlert.Root {...root}>
      {trigger ? <RadixAlert.Trigger asChild>{trigger}</RadixAlert.Trigger> : null}
      <RadixAlert.Portal>
        <RadixAlert.Overlay className={scrim} />
        <RadixAlert.Content
          className={cn(panel, centred, widths[width])}
          // Radix then focuses Cancel.
          onOpenAutoFocus={remember}
          {...back}
        >
          <div className="min-h-0 overflow-y-auto px-5 pt-5 pb-5">
            <RadixAlert.Title className="text-16 font-semibold">{title}</RadixAlert.Title>
            <RadixAlert.Description asChild>
              <div className="mt-1 text-14 text-muted">{description}</div>
            </RadixAlert.Description>
            {children ? <div className="mt-4">{children}</div> : null}
          </div>
          <PanelFoot>
            <RadixAlert.Cancel asChild>
              <Button>Cancel</Button>
            </RadixAlert.Cancel>
            <RadixAlert.Action asChild>
              <Button
                variant={tone === "danger" ? "reject" : "primary"}
                pending={pending}
                onClick={onConfirm}
              >
                {confirm}
              </Button>
            </RadixAlert.Action>
          </PanelFoot>
        </RadixAlert.Content>
      </RadixAlert.Portal>
    </RadixAlert.Root>
  );
}
