namespace Shop;

public class Wallets(ShopContext db)
{
  public async Task Withdraw(int id, long amount)
  {
    var changed = await db.Wallets
      .Where(wallet => wallet.Id == id && wallet.Balance >= amount)
      .ExecuteUpdateAsync(set => set.SetProperty(wallet => wallet.Balance, wallet => wallet.Balance - amount));
    if (changed == 0) throw new InvalidOperationException();
  }
}
