namespace Shop;

public class Wallet
{
  public int Id { get; set; }
  public decimal Balance { get; set; }
}
