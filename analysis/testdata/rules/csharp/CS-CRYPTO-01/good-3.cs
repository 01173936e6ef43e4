using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public string Mode { get; set; } = "ECB";
  
  public RSA Open() => RSA.Create(3072);
}
