/**
 * Something that whoever runs Sluice can put right. Its message is one sentence that says what is wrong and
 * what to do; it is shown without a stack trace.
 */
export class OperatorError extends Error {
  override name = "OperatorError";
}
