using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public byte[] Encrypt(byte[] text, byte[] key)
  {
    using var cipher = DES.Create(); // ← here
    return cipher.CreateEncryptor(key, key).TransformFinalBlock(text, 0, text.Length);
  }
}
