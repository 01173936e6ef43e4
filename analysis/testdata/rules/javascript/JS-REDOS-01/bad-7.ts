const LIST = /^(?:[^,]*,?)*;$/ // ← here

export class Lists {
  private text = load()
  isList(): boolean {
    return LIST.test(this.text)
  }
}
