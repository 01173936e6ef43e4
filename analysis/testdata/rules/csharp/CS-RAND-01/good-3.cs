using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public string ResetToken()
  {
    var token = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
    return token;
  }
}
