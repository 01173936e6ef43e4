namespace Shop;

public class Wallet
{
  public int Id { get; set; }
  public double Balance { get; set; } // ← here
}
