@HiveType(typeId: 1)
class Wallet {
  @HiveField(0)
  double balance; // ← here
  Wallet(this.balance);
}
