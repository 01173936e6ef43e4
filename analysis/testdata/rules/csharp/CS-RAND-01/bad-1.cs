namespace Shop;

public class Orders
{
  public string ResetToken()
  {
    var random = new Random();
    var token = random.Next(100000, 999999).ToString(); // ← here
    return token;
  }
}
