using System.IO.Compression;

namespace Shop;

public class Orders
{
  public async Task Unpack(string archivePath, string folder)
  {
    using var archive = ZipFile.OpenRead(archivePath);
    foreach (ZipArchiveEntry entry in archive.Entries)
      entry.ExtractToFile(Path.Combine(folder, entry.FullName)); // ← here
  }
}
