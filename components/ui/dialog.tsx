import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import { useRef, type MouseEvent, type ReactElement, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { cn } from "./cn.ts";
import { IconButton } from "./icon-button.tsx";

export interface DialogProps {
  title: string;
  description?: ReactNode;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  /** Omit when `open` is controlled. */
  trigger?: ReactElement;
  children?: ReactNode;
  footer?: ReactNode;
  width?: keyof typeof widths;
  /** A long text without controls. It takes the focus, so that the keyboard can scroll it. */
  isText?: boolean;
  /** A question (`alertdialog`): a click outside does not close it, and the first button of the footer gets the focus. */
  isQuestion?: boolean;
  /** Shows the dialog at an edge of the screen. */
  side?: keyof typeof sides;
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
  isQuestion = false,
  side,
  trigger,
  ...root
}: DialogProps) {
  const focus = useDialogFocus(trigger !== undefined, isQuestion ? "[data-foot] button" : FIELDS);
  return (
    <Radix.Root {...root}>
      {trigger ? <Radix.Trigger asChild>{trigger}</Radix.Trigger> : null}
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-scrim" />
        <Radix.Content
          className={cn(
            "fixed z-50 flex flex-col border border-line bg-raised text-text shadow-hairline focus-visible:outline-none",
            side
              ? sides[side]
              : "inset-x-4 top-1/2 mx-auto max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in rounded-lg",
            !side && widths[width],
          )}
          {...focus}
          {...(description ? {} : { "aria-describedby": undefined })}
          {...(isQuestion
            ? { role: "alertdialog", onInteractOutside: (event: Event) => event.preventDefault() }
            : {})}
        >
          <div className="flex min-h-0 shrink-0 items-start gap-3 px-5 pt-4 pb-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="pt-1 text-16 font-semibold">{title}</Radix.Title>
              {description ? (
                <Radix.Description asChild>
                  <div className={cn("mt-0.5 text-muted", isQuestion ? "text-14" : "text-13")}>
                    {description}
                  </div>
                </Radix.Description>
              ) : null}
            </div>
            {isQuestion ? null : (
              <Radix.Close asChild>
                <IconButton label="Close" icon={<X />} className="-me-2" />
              </Radix.Close>
            )}
          </div>
          {isQuestion ? null : (
            <div
              className="min-h-0 flex-1 overflow-y-auto px-5 pb-5 focus-visible:-outline-offset-2"
              {...(isText ? { tabIndex: 0, role: "region", "aria-label": title } : {})}
            >
              {children}
            </div>
          )}
          {footer ? (
            <div
              data-foot=""
              className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3 desk:px-5"
            >
              {footer}
            </div>
          ) : null}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const FIELDS = "input:not([type=hidden]), select, textarea, [autofocus]";

/**
 * Focus handling. Radix would focus the close button, and without a trigger it would not restore the focus.
 *
 * @param first selector of the element that gets the focus; without a match the dialog gets it
 */
export function useDialogFocus(hasTrigger: boolean, first = FIELDS) {
  const before = useRef<Element | null>(null);
  const onOpenAutoFocus = (event: Event) => {
    event.preventDefault();
    before.current = document.activeElement;
    const content = event.currentTarget;
    if (content instanceof HTMLElement) (content.querySelector<HTMLElement>(first) ?? content).focus();
  };
  const onCloseAutoFocus = (event: Event) => {
    if (!(before.current instanceof HTMLElement)) return;
    event.preventDefault();
    // A field that opened with the end of the dialog keeps it.
    if (document.activeElement === document.body) before.current.focus();
  };
  return hasTrigger ? { onOpenAutoFocus } : { onOpenAutoFocus, onCloseAutoFocus };
}

export interface AlertDialogProps extends Pick<DialogProps, "title" | "open" | "onOpenChange" | "trigger"> {
  description: ReactNode;
  confirm: string;
  /** `preventDefault` keeps the dialog open. */
  onConfirm: (event: MouseEvent) => void;
  /** Default "danger". */
  tone?: "danger" | "primary";
  pending?: boolean;
}

/** Asks for confirmation. Prefer a toast with undo where undo is possible. */
export function AlertDialog({
  confirm,
  onConfirm,
  tone = "danger",
  pending = false,
  ...dialog
}: AlertDialogProps) {
  return (
    <Dialog
      {...dialog}
      isQuestion
      footer={
        <>
          <Radix.Close asChild>
            <Button>Cancel</Button>
          </Radix.Close>
          <Radix.Close asChild>
            <Button variant={tone === "danger" ? "reject" : "primary"} pending={pending} onClick={onConfirm}>
              {confirm}
            </Button>
          </Radix.Close>
        </>
      }
    />
  );
}
