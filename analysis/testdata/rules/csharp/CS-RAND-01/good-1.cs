using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public string ResetToken()
  {
    var token = RandomNumberGenerator.GetInt32(100000, 999999).ToString();
    return token;
  }
}
