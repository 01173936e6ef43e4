@HiveType(typeId: 1)
class Wallet {
  @HiveField(0)
  int balance;
  Wallet(this.balance);
}
