CREATE TABLE [dbo].[Album] ([Id] int NOT NULL, [Title] text);
CREATE TABLE [Artist] (id int);
