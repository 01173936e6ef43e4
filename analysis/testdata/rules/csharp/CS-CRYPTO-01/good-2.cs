using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public Aes Open(byte[] key)
  {
    var cipher = Aes.Create();
    cipher.Mode = CipherMode.CBC;
    return cipher;
  }
}
