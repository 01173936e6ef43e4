namespace Shop;

public class Wallets(ShopContext db)
{
  public async Task Withdraw(int id, long amount)
  {
    var wallet = await db.Wallets.FindAsync(id);
    if (wallet.Balance < amount) throw new InvalidOperationException();
    wallet.Balance -= amount; // ← here
    await db.SaveChangesAsync();
  }
}
