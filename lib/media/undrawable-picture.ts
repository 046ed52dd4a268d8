export type UndrawableReason = "not_a_picture" | "too_large" | "busy";

/** The decoder refused the picture, failed or ended. `busy`: nothing was tried. */
export class UndrawablePicture extends Error {
  override readonly name = "UndrawablePicture";
  readonly reason: UndrawableReason;

  constructor(reason: UndrawableReason, options?: ErrorOptions) {
    super(reason, options);
    this.reason = reason;
  }
}
