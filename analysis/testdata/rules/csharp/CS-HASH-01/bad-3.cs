using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public byte[] Sign(byte[] text) => new SHA1CryptoServiceProvider().ComputeHash(text); // ← here
}
