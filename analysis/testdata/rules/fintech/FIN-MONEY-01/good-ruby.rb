class CreateWallets < ActiveRecord::Migration[7.1]
  def change
    create_table :wallets do |t|
      t.bigint :balance
      t.decimal :amount, precision: 18, scale: 2
      t.float :rating
    end
  end
end
