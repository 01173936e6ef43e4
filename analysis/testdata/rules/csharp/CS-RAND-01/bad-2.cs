namespace Shop;

public class Orders
{
  public string NewOtpCode() => Random.Shared.Next(1000, 9999).ToString("D4"); // ← here
}
