class CreateWallets < ActiveRecord::Migration[7.1]
  def change
    create_table :wallets do |t|
      t.float :balance # ← here
      t.string :currency
    end
    add_column :orders, :amount, :float # ← here
  end
end
