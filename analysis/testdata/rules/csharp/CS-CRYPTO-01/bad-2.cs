using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public Aes Open(byte[] key)
  {
    var cipher = Aes.Create();
    cipher.Key = key;
    cipher.Mode = CipherMode.ECB; // ← here
    return cipher;
  }
}
