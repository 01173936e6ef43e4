using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public void Encrypt(byte[] key, byte[] nonce, byte[] text, byte[] result, byte[] tag)
  {
    using var cipher = new AesGcm(key, 16);
    cipher.Encrypt(nonce, text, result, tag);
  }
}
