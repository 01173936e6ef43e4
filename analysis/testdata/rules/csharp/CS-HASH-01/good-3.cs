using System.Security.Cryptography;

namespace Shop;

public class Orders
{
  public byte[] Sign(byte[] key, byte[] text) => HMACSHA256.HashData(key, text);
}
