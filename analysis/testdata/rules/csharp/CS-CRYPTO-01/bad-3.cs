using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public SymmetricAlgorithm Open() => new TripleDESCryptoServiceProvider(); // ← here
}
